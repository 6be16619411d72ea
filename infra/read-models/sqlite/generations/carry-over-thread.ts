import { answer } from '../../../sqlite/thread.ts'
import { type KeepData, Keeping, type KeepTask } from './carrying-over.ts'

answer<KeepData, KeepTask>((data) => {
  const keeping = new Keeping(data)
  return {
    answer: (task) => {
      if (task === 'end') return keeping.end()
      keeping.keep(task.keep)
      return -1
    },
    close: () => keeping.close(),
  }
})
