import type { Family } from '../resources/family.ts'
import { gatewayAccountResource } from './gateway-account/index.ts'
import { gatewayNotification } from './notification.ts'
import { refundFailure } from './refund-failure.ts'

/** Gateway accounts of workspaces, and notifications of gateways. */
export const payments: Family = { resources: [gatewayAccountResource, gatewayNotification, refundFailure] }
