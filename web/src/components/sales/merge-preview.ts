// What two contacts are once they are one: the one that stays keeps what it has, and gets what it has not.
import type { DataRow, Field, Kind } from '@/api/data'
import { valueWords } from '@/components/data/values'

interface Preview {
  /** What the contact that stays will have, and from which of the two. */
  stays: { field: Field; row: DataRow; isFilled: boolean }[]
  /** Fields in which both have a value and the values differ: the other's is lost. */
  lost: Field[]
}

export function mergePreview(kind: Kind, kept: DataRow, gone: DataRow): Preview {
  const fields = kind.fields.filter(({ presence, type }) => presence !== 'derived' && type !== 'id')
  const has = (row: DataRow, field: Field) => valueWords(field, row) !== ''
  return {
    stays: fields.filter((field) => has(kept, field) || has(gone, field)).map((field) => ({ field, row: has(kept, field) ? kept : gone, isFilled: !has(kept, field) })),
    lost: fields.filter((field) => has(kept, field) && has(gone, field) && valueWords(field, kept) !== valueWords(field, gone)),
  }
}
