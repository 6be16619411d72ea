import type { Family } from '../resources/family.ts'
import { gatewayAccountResource } from './gateway-account/index.ts'
import { gatewayNotification } from './notification.ts'

/** What a workspace charges with. */
export const payments: Family = { resources: [gatewayAccountResource, gatewayNotification] }
