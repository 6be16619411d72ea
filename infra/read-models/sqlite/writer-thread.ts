import { answer } from '../../sqlite/thread.ts'
import { type Task, Writer, type WriterData } from './writer.ts'

answer<WriterData, Task>((data) => {
  let writer: Writer | undefined
  return {
    answer: (task) => {
      // Not before: what fails here is told as an answer, and tried again with the next question.
      writer ??= new Writer(data)
      return writer.answer(task)
    },
    close: () => writer?.close(),
  }
})
