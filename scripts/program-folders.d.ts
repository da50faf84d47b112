export declare const PROGRAM_FOLDERS: readonly string[];
