export { isUsedByWorkflow, stepNamingSpace } from './workflow/uses.ts'
