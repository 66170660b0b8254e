/** The text of a file that the bundler reads. */
declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.csv" {
  const text: string;
  export default text;
}

/** The bytes of a file. */
declare module "*.gz" {
  const bytes: Uint8Array;
  export default bytes;
}
