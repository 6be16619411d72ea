import punycode from 'punycode/punycode.js'

/** Name of the machine itself. Names below it are those that workspaces begin with. They follow from subdomains, of which there are no two. */
export const MACHINE = 'localhost'

/** Whether a name means the machine of whoever reads it. */
export const isOfMachine = (name: string): boolean => name === MACHINE || name.endsWith(`.${MACHINE}`)

/** Longest name of a host. */
const LONGEST = 253
const NAME = /^(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*$/

const isName = (text: string): boolean => text.length <= LONGEST && NAME.test(text) && !/^[\d.]+$/.test(text)

/**
 * Returns the name of a host as it is stored and compared: in ASCII and lower case, without its port and a dot at its end. Returns `undefined` for
 * what is no name, such as an IP address.
 */
export const hostName = (sent: string): string | undefined => {
  if (isName(sent)) return sent
  const name = sent
    .trim()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
  if (name === '' || name.length > LONGEST) return undefined
  try {
    const lower = name.toLowerCase()
    const ascii = NAME.test(lower) ? lower : punycode.toASCII(lower.normalize('NFC')).toLowerCase()
    return isName(ascii) ? ascii : undefined
  } catch {
    return undefined
  }
}
