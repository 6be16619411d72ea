import { answer } from '../../../sqlite/thread.ts'
import { CarryingOver, type CarryOverData, type CarryOverTask } from './carrying-over.ts'

answer<CarryOverData, CarryOverTask>((data) => {
  const keeping = new CarryingOver(data)
  return {
    answer: (task) => {
      if (task === 'end') return keeping.end()
      keeping.keep(task.keep)
      return -1
    },
    close: () => keeping.close(),
  }
})
