import { answer } from '../../../sqlite/thread.ts'
import { type Task, Writer, type WriterData } from './writer.ts'

answer<WriterData, Task>((data) => new Writer(data))
