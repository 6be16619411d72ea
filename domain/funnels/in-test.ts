import type { FactReader } from '../kernel/decide/command.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { idIn } from '../kernel/values/ids.ts'
import type { IsUnseen } from '../resources/consequence.ts'
import { funnel } from './funnel/model.ts'

/** Whether a funnel is in test mode, so that no visitor is counted in it and no money moves. */
export const isInTest = async (funnelId: number | null | undefined, documents: FactReader): Promise<boolean> =>
  (await readerOver(documents).one(funnel, funnelId))?.live_mode === false

/** Whether what is written to is a part of a funnel in test mode. */
export const isOfTestFunnel: IsUnseen = ({ owner, document }, read) =>
  isInTest(idIn(owner?.id) ?? idIn(document?.funnel_id), read)
