export { orders } from './order/rules.ts'
