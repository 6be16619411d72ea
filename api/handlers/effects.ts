import type { WriteOperation } from '../../domain/resources/operation.ts'
import type { Service } from '../service.ts'

/** Performs the effects of a write outside the log. A replay performs them too, because the first request may have been cut off before it did. */
export const performEffects = async (service: Service, { effects }: WriteOperation, id: number): Promise<void> => {
  if (!effects?.includes('destroyKey')) return
  await service.vault.destroy(id)
  service.forget()
}
