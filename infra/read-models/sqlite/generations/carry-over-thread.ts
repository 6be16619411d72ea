import { answer } from '../../../sqlite/thread.ts'
import { type CarryOverData, type CarryOverTask, CollectionCopier } from './carrying-over.ts'

answer<CarryOverData, CarryOverTask>((data) => {
  const carryingOver = new CollectionCopier(data)
  return {
    answer: (task) => {
      if (task === 'end') return carryingOver.end()
      carryingOver.keep(task.keep)
      return -1
    },
    close: () => carryingOver.close(),
  }
})
