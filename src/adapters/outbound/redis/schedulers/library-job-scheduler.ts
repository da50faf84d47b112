/**
 * What is needed of the whole library, as a module to be loaded on demand: in a bundle, a dynamic import of
 * a CommonJS package by itself has no names.
 */
export { JobScheduler } from 'bullmq';
