import type { Family } from '../resources/family.ts'
import { gatewayAccountResource } from './gateway-account/index.ts'
import { gatewayNotification } from './notification.ts'
import { refundFailure } from './refund-failure.ts'
import { unknownPayment } from './unknown-payment/index.ts'
import { knownPaymentsAreSettled, paymentsGivenBackAreSettled } from './unknown-payment/policies.ts'

/** Gateway accounts of workspaces, notifications of gateways, and payments that belong to no order. */
export const payments: Family = {
  resources: [gatewayAccountResource, gatewayNotification, refundFailure, unknownPayment],
  policies: [knownPaymentsAreSettled, paymentsGivenBackAreSettled],
}
