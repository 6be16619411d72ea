import type { Service } from '../service.ts'

/** Dependencies of what pages call. */
export type SdkService = Omit<Service, 'external' | 'reactorStore' | 'walks' | 'advances' | 'outbound'> & {
  /** Scheme, host and port of the SDK's listener as browsers reach it. */
  readonly sdkUrl: () => string
}
