export declare const require: NodeRequire;
