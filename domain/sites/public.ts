export { hostName } from './host.ts'
export { originOf } from './origin.ts'
export { isReserved, isReservedPath, RESERVED } from './reserved.ts'
export { sites } from './site/rules.ts'
