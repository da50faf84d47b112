import sortedBtree from 'sorted-btree';

/** A map in the order of its keys. The package is CommonJS: what it exports is the default of the import. */
export const SortedTree = sortedBtree.default;
