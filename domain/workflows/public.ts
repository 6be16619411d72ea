export { isUsedByWorkflow } from './workflow/uses.ts'
