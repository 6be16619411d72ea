import { readerOver } from '../../kernel/decide/rules.ts'
import { idIn } from '../../kernel/values/ids.ts'
import type { WriteOptions } from '../../resources/writes.ts'
import { workflow } from './model.ts'

/** What follows from a change of what a workflow consists of. Nobody enters one that is not enabled. */
export const acting: Pick<WriteOptions, 'consequence' | 'isUnseen'> = {
  consequence: 'changes what happens to people',
  isUnseen: async ({ owner, document }, read) => {
    const id = idIn(owner?.id) ?? idIn(document?.workflow_id)
    return (await readerOver(read).one(workflow, id))?.enabled === false
  },
}
