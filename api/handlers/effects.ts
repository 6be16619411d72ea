import type { WriteOperation } from '../../domain/resources/operation.ts'
import type { Service } from '../service.ts'

/** Performs what a write does beyond the log. A replay does it too: the first request may have been cut off before it. */
export const performEffects = async (service: Service, { effects }: WriteOperation, id: number): Promise<void> => {
  if (!effects?.includes('destroyKey')) return
  await service.vault.destroy(id)
  service.forget()
}
