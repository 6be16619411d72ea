import {
  callReadOperation,
  callWriteOperation,
  describeOperation,
  resultOfCall,
  searchOperations,
} from './operations.ts'
import type { Tool } from './tool.ts'

/** Tools of agents, in the order in which they are listed. It stays as it is: clients cache the list. */
export const TOOLS: readonly Tool[] = [
  searchOperations,
  describeOperation,
  callReadOperation,
  callWriteOperation,
  resultOfCall,
]
