/** Names of the files that are loaded when they are needed. The build puts this module in order: it knows the hashes. */
export const CHECKOUT: string = 'checkout.js'
export const FORMS: string = 'forms.js'
export const BADGE: string = 'badge.js'
