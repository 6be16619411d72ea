export { opportunities } from './opportunity/rules.ts'
