import type { Config } from './config.ts'

/** Returns the address of the pages on which people sign in. It is never taken from a request. */
export const accountsUrlIn = ({ apiUrl }: Pick<Config, 'apiUrl'>, port: number): string =>
  apiUrl ?? `http://localhost:${port}`
