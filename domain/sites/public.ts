export { originOf } from './origin.ts'
export { sites } from './site/rules.ts'
