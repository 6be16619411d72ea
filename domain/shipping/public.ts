export { destinationOf, profilesOf } from './offers.ts'
export type { Destination, QuotedProfile, ShippingOption } from './quote.ts'
export { quote } from './quote.ts'
