/** The version of this package. (The build writes the module from the version of the C++ library.) */
export declare const version: string;
