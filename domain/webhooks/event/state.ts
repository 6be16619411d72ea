import type { Happened } from '../../kernel/decider.ts'
import type { OutgoingEvent } from './events.ts'

export interface DeliveryState {
  readonly id: number
  readonly endpointId: number
  readonly status: 'pending' | 'delivered' | 'failed' | 'abandoned'
  /** Attempts ever, and since the delivery was begun or ordered anew. */
  readonly attempts: number
  readonly attemptsSince: number
  /** ISO 8601. */
  readonly since: string
}

/** What decisions about a public event need. */
export interface OutgoingState {
  readonly published: boolean
  readonly workspaceId: number
  readonly subjectStream: string
  readonly deliveries: readonly DeliveryState[]
}

export const initial: OutgoingState = {
  published: false,
  workspaceId: 0,
  subjectStream: '',
  deliveries: [],
}

const begun = (id: number, endpointId: number, since: string): DeliveryState => ({
  id,
  endpointId,
  status: 'pending',
  attempts: 0,
  attemptsSince: 0,
  since,
})

const withDelivery = (
  state: OutgoingState,
  id: number,
  change: (delivery: DeliveryState) => DeliveryState,
): OutgoingState => ({
  ...state,
  deliveries: state.deliveries.map((delivery) => (delivery.id === id ? change(delivery) : delivery)),
})

const attempted = (delivery: DeliveryState, number: number, status: DeliveryState['status']): DeliveryState => ({
  ...delivery,
  status,
  attempts: number,
  attemptsSince: delivery.attemptsSince + 1,
})

export const evolve = (state: OutgoingState, event: Happened<OutgoingEvent>): OutgoingState => {
  const { at, workspace_id = 0 } = event.metadata
  switch (event.type) {
    case 'WebhookEventPublished':
      return {
        published: true,
        workspaceId: workspace_id,
        subjectStream: event.data.subject_stream,
        deliveries: event.data.deliveries.map(({ delivery_id, endpoint_id, disabled }) => ({
          ...begun(delivery_id, endpoint_id, at),
          ...(disabled && { status: 'abandoned' }),
        })),
      }
    case 'WebhookDelivered':
      return withDelivery(state, event.data.delivery_id, (delivery) =>
        attempted(delivery, event.data.number, 'delivered'),
      )
    case 'WebhookAttemptFailed':
      return withDelivery(state, event.data.delivery_id, (delivery) =>
        attempted(delivery, event.data.number, event.data.retry_at === null ? 'failed' : 'pending'),
      )
    case 'WebhookDeliveryAbandoned':
      return withDelivery(state, event.data.delivery_id, (delivery) => ({ ...delivery, status: 'abandoned' }))
    case 'WebhookDeliveryOrdered': {
      const { delivery_id: id, endpoint_id: endpointId } = event.data
      if (state.deliveries.some((delivery) => delivery.id === id)) {
        return withDelivery(state, id, (delivery) => ({ ...delivery, status: 'pending', attemptsSince: 0, since: at }))
      }
      return { ...state, deliveries: [...state.deliveries, begun(id, endpointId, at)] }
    }
  }
}
