declare module "*.css" {
  const text: string;
  export default text;
}
declare const LICENCES: { name: string; version: string; text: string }[];
