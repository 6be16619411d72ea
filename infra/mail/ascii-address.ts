import { domainToASCII } from 'node:url'

/** Returns an address with its domain in ASCII. The part before the `@` stays as it is: no server could tell what an encoded one stands for. */
export const asciiAddress = (address: string): string => {
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  return `${address.slice(0, at)}@${domain === '' ? address.slice(at + 1) : domain}`
}
