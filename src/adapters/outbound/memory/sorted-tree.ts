import { createRequire } from 'node:module';
import type sortedBtree from 'sorted-btree';

const { default: BTree } = createRequire(import.meta.url)('sorted-btree') as typeof sortedBtree;

/**
 * A map in the order of its keys. It comes by `require`, since the package is CommonJS with a
 * default export, which loaders of modules do not agree on how to import.
 */
export const SortedTree = BTree;
