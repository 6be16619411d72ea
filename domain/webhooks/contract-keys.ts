/** Complete catalogue of the contract's event types, with their meanings, by type of subject. An endpoint may subscribe to any of them. */
export const CONTRACT_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Appointments::ScheduledEvent': {
    'appointments/scheduled_event.created': 'Somebody made an appointment.',
    'appointments/scheduled_event.canceled': 'An appointment was called off.',
    'appointments/scheduled_event.rescheduled': 'An appointment was put at another time.',
  },
  'Blogs::Post': {
    'blogs/post.created': 'A blog post was written.',
    'blogs/post.updated': 'A blog post was changed.',
    'blogs/post.deleted': 'A blog post was deleted.',
    'blogs/post.published': 'A blog post can be read by everybody: it was made so, or is no draft any more.',
  },
  'Communities::Spaces::Post': {
    'communities/post.created': 'Somebody posted in a topic of a community.',
  },
  'Communities::Spaces::Post::Comment': {
    'communities/posts/comment.created': 'Somebody commented on a post of a community.',
  },
  Contact: {
    'contact.created': 'A contact was created.',
    'contact.updated': 'A field of a contact changed.',
    'contact.deleted': 'A contact was deleted.',
    'contact.identified': 'A contact became known by an email address, a phone number or both.',
  },
  'Contacts::AppliedTag': {
    'contacts/applied_tag.created': 'A tag was put on a contact.',
    'contacts/applied_tag.deleted': 'A tag was taken off a contact.',
  },
  Course: {
    'course.created': 'A course was created.',
    'course.updated': 'A course was changed.',
    'course.deleted': 'A course was deleted.',
    'course.published': 'A course was opened to its students.',
  },
  'Courses::Enrollment': {
    'courses/enrollment.created': 'A contact was enrolled in a course.',
    'courses/enrollment.updated': 'An enrolment was changed.',
    'courses/enrollment.deleted': 'An enrolment was removed.',
    'courses/enrollment.suspended': 'A student lost access to a course.',
    'courses/enrollment.course_completed': 'A student finished a course.',
  },
  'Courses::Section': {
    'courses/section.created': 'A section was added to a course.',
    'courses/section.updated': 'A section of a course was changed.',
    'courses/section.deleted': 'A section of a course was deleted.',
    'courses/section.published': 'A section was opened to the students of its course.',
  },
  'Courses::Lesson': {
    'courses/lesson.created': 'A lesson was added to a section.',
    'courses/lesson.updated': 'A lesson was changed.',
    'courses/lesson.deleted': 'A lesson was deleted.',
    'courses/lesson.published': 'A lesson was opened to the students of its course.',
  },
  FormSubmission: {
    'form_submission.created': 'Somebody sent a form.',
  },
  Fulfillment: {
    'fulfillment.created': 'A fulfilment was created.',
    'fulfillment.updated': 'A fulfilment was changed.',
  },
  Product: {
    'product.created': 'A product was created.',
    'product.updated': 'A product was changed.',
  },
  'Products::Variant': {
    'products/variant.created': 'A variant was added to a product.',
    'products/variant.updated': 'A variant of a product was changed.',
  },
  Order: {
    'order.created': 'An order was created.',
    'order.updated': 'An order was changed.',
    'order.deleted': 'An order was deleted.',
    'order.completed': 'A one-time order was paid, or the service of a subscription came to its end.',
    'one-time-order.completed': 'A one-time order was paid.',
    'one_time_order.refunded': 'A one-time order was paid back.',
    'subscription.activated': 'A subscription became active for the first time.',
    'subscription.reactivated': 'A subscription that was canceled or had churned is active again.',
    'subscription.canceled': 'A subscription was canceled.',
    'subscription.churned': 'A subscription was lost: what was paid for has run out.',
    'subscription.completed': 'A subscription came to its end without being canceled, as a payment plan does.',
    'subscription.upgraded': 'A subscription was changed to something of a higher price.',
    'subscription.downgraded': 'A subscription was changed to something of a lower price.',
    'subscription.modified': 'A subscription was changed at the payment provider.',
    'subscription.line_items.changed': 'What a subscription is for changed.',
    'subscription.first_payment_received': 'A subscription was paid for the first time, setup and trial aside.',
    'subscription.trial_started': 'The trial of a subscription began.',
    'subscription.trial_ended': 'The trial of a subscription ended.',
    'subscription.trial_converted': 'A trial ended in an active subscription.',
  },
  'Orders::Invoice': {
    'one-time-order.invoice.paid': 'The invoice of a one-time order was paid.',
    'subscription.invoice.paid': 'An invoice of a subscription was paid.',
    'orders/invoice.created': 'An invoice was created.',
    'orders/invoice.updated': 'An invoice was changed.',
    'orders/invoice.paid': 'An invoice was paid, whatever the type of its order.',
    'orders/invoice.past_due': 'An invoice was not paid in time.',
    'orders/invoice.abandoned': 'Nobody tries to collect an invoice any more.',
    'orders/invoice.reissued': 'An invoice was issued anew.',
    'orders/invoice.refunded': 'An invoice was paid back.',
    'orders/invoice.voided': 'An invoice was declared void.',
    'renewal-invoice-payment-declined': 'The payment of a period of a subscription failed.',
    'orders/invoice.fulfilled': 'Everything on an invoice has been fulfilled.',
  },
  'Orders::Invoices::Restock': {
    'orders/invoices/restock.created': 'Goods of an invoice were taken back into stock.',
    'orders/invoices/restock.updated': 'A restock was changed.',
  },
  'Orders::Transaction': {
    'orders/transaction.created': 'A payment provider reported a transaction.',
    'orders/transaction.updated': 'A payment provider reported more of a transaction.',
  },
  'Sales::Opportunity': {
    'sales/opportunity.created': 'An opportunity was created.',
    'sales/opportunity.updated': 'A field of an opportunity changed.',
    'sales/opportunity.deleted': 'An opportunity was deleted.',
    'sales/opportunity.closed': 'An opportunity was closed for the first time.',
    'sales/opportunity.moved_stage': 'An opportunity moved to another stage.',
  },
  PlatformApplication: {
    'platform_application.disconnected': 'A user disconnected an application from a team.',
  },
  // Only endpoints of version 1 ever received these. Such endpoints can no longer be created.
  'Workflows::Run': {
    'runs/step.dontrunme': 'A run came to a step that it did not take (version 1).',
  },
  'Workflows::Step': {
    'workflows/steps/deliver_webhook_step.executed': 'A workflow called an endpoint (version 1).',
    'workflows/steps/integration_step.executed': 'A workflow called an integration (version 1).',
    'workflows_integration_step.executed': 'A workflow called an integration, by its older name (version 1).',
  },
}
