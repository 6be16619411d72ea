export { granting, revoking } from './granting.ts'
