const OWN_NAME = 'localhost'

/**
 * Returns an address below `localhost` under the name of the machine itself, where the only workspace has its pages too; `undefined` for any other
 * address. Browsers that do not resolve names below `localhost` reach pages there.
 */
export const machineAddress = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, port, pathname } = new URL(url)
  if (protocol !== 'http:' || !hostname.endsWith(`.${OWN_NAME}`)) return undefined
  return `http://${OWN_NAME}${port === '' ? '' : `:${port}`}${pathname}`
}

/** Returns the address of a hosted page for a visitor who is at another one: who came by the name of the machine goes on by it. */
export const addressFrom = (current: string, url: string): string => {
  const isByMachine = URL.canParse(current) && new URL(current).hostname === OWN_NAME
  return (isByMachine ? machineAddress(url) : undefined) ?? url
}
