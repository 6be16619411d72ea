export { fullName } from './parts.ts'
