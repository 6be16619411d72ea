import type { OwedKind, OwedText, TableWords } from './kinds.ts'

const HELLO = 'Hello{% if contact.first_name %} {{ contact.first_name }}{% endif %},'

export const TABLE_EN: TableWords = {
  item: 'Item',
  quantity: 'Quantity',
  amount: 'Amount',
  total: 'Total',
  discount: 'Discount',
  shipping: 'Shipping',
  tax: 'Tax',
}

/** Mails that somebody is owed, in English. */
export const TEXTS_EN: Readonly<Record<OwedKind, OwedText>> = {
  order_confirmation: {
    subject: 'Your order {{ order.number }}',
    preheadline: 'We have received your order. Thank you!',
    heading: 'Thank you for your order',
    paragraphs: [HELLO, 'we have received your order {{ order.number }}. This is what you ordered:'],
  },
  order_shipped: {
    subject: 'Your order {{ order.number }} is on its way',
    preheadline: 'Your parcel has been sent.',
    heading: 'Your parcel has been sent',
    paragraphs: [
      HELLO,
      'what you ordered as {{ order.number }} is on its way{% if shipment.carrier %} with {{ shipment.carrier }}{% endif %}.',
      '{% if shipment.tracking_number %}Tracking number: {{ shipment.tracking_number }}{% endif %}',
    ],
    button: 'Track the parcel',
  },
  payment_failed: {
    subject: 'Your payment to {{ business_name }} did not go through',
    preheadline: 'Please pay again, so that nothing is interrupted.',
    heading: 'Your payment did not go through',
    paragraphs: [
      HELLO,
      'we could not charge {{ amount }} for {{ order.number }}.',
      'Please make sure that your card can be charged, and pay. We will try again too.',
    ],
    button: 'Pay now',
  },
  subscription_ended: {
    subject: 'Your subscription {{ order.number }} has ended',
    preheadline: 'You will not be charged any more.',
    heading: 'Your subscription has ended',
    paragraphs: [HELLO, 'your subscription {{ order.number }} has ended. You will not be charged any more.'],
  },
  download_ready: {
    subject: 'Your downloads of order {{ order.number }}',
    preheadline: 'Your files are ready.',
    heading: 'Your files are ready',
    paragraphs: [HELLO, 'here is what you bought with order {{ order.number }}:'],
  },
  opt_in_confirmation: {
    subject: 'Please confirm your e-mail address',
    preheadline: 'One click, and you are in.',
    heading: 'Please confirm your e-mail address',
    paragraphs: [
      'Somebody entered this address on a page of {{ business_name }}. If it was you, please confirm that you want our mail.',
    ],
    button: 'Confirm',
    note: 'If it was not you, do nothing. You will get no further mail.',
  },
  sign_in: {
    subject: 'Your link to sign in to {{ business_name }}',
    preheadline: 'It works once, for an hour.',
    heading: 'Sign in',
    paragraphs: [HELLO, 'this link signs you in to {{ business_name }}. It works once, for an hour.'],
    button: 'Sign in',
    note: 'If you did not ask for it, ignore this mail: nobody is signed in by it. Do not pass it on.',
  },
}
