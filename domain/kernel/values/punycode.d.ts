/** The file of the package is named, because its bare name is a deprecated module of Node.js. */
declare module 'punycode/punycode.js' {
  const punycode: { toUnicode(domain: string): string; toASCII(domain: string): string }
  export default punycode
}
