import { answer } from '../../../sqlite/thread.ts'
import { CarryingOver, type CarryOverData, type CarryOverTask } from './carrying-over.ts'

answer<CarryOverData, CarryOverTask>((data) => {
  const carryingOver = new CarryingOver(data)
  return {
    answer: (task) => {
      if (task === 'end') return carryingOver.end()
      carryingOver.keep(task.keep)
      return -1
    },
    close: () => carryingOver.close(),
  }
})
