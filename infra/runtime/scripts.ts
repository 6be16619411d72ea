import path from 'node:path'

/** Directory of what the build makes of `sdk/`: scripts for browsers. */
export const SCRIPTS = path.join(import.meta.dirname, '../../sdk')
