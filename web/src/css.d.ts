/** A style sheet's text; the bundler reads the file. */
declare module "*.css" {
  const text: string;
  export default text;
}
