import { buyersWithoutOpen, whoIsInWorkflow } from './audiences.ts'
import { addContact, findContact, ordersOfContact, whyThisMail } from './contacts.ts'
import { funnelFigures, makeFunnel } from './funnels.ts'
import { broadcastResults, pauseBroadcast, resumeBroadcast } from './mails.ts'
import {
  callReadOperation,
  callWriteOperation,
  describeOperation,
  resultOfCall,
  searchOperations,
} from './operations.ts'
import { whatChanged, workspaceOverview } from './records.ts'
import type { Tool } from './tool.ts'

/** Tools of agents, in the order in which they are listed. Clients cache the list, so all see the same one, whatever their scopes. */
export const TOOLS: readonly Tool[] = [
  searchOperations,
  describeOperation,
  callReadOperation,
  callWriteOperation,
  resultOfCall,
  workspaceOverview,
  findContact,
  addContact,
  ordersOfContact,
  whatChanged,
  whyThisMail,
  makeFunnel,
  funnelFigures,
  buyersWithoutOpen,
  whoIsInWorkflow,
  broadcastResults,
  pauseBroadcast,
  resumeBroadcast,
]
