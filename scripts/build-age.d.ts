export declare function isBuilt(root: string): boolean;
