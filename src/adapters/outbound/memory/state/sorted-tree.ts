import sortedBtree from 'sorted-btree';

/** A map in the order of its keys. The package is CommonJS: the default import holds its exports. */
export const SortedTree = sortedBtree.default;
