import type { Models } from '@/api/types'
import { Badge } from '../ui/badge'
import { Cell, HeadCell, NUMBER_CELL, Table } from '../ui/table'

export function AliasTable({ aliases }: { aliases: Models['aliases'] }) {
  return (
    <Table
      caption="Names of models"
      head={
        <>
          <HeadCell>Name</HeadCell>
          <HeadCell>Stands for</HeadCell>
          <HeadCell className="text-right">Input</HeadCell>
          <HeadCell className="text-right">Output</HeadCell>
        </>
      }
    >
      {aliases.map(({ alias, model, inputPrice, outputPrice }) => (
        <tr key={alias}>
          <Cell className="font-medium whitespace-nowrap">{alias}</Cell>
          <Cell className="font-mono text-xs leading-5 whitespace-nowrap">
            {model ?? <Badge tone="dashed">No model for it here</Badge>}
          </Cell>
          <Cell className={NUMBER_CELL}>{price(inputPrice)}</Cell>
          <Cell className={NUMBER_CELL}>{price(outputPrice)}</Cell>
        </tr>
      ))}
    </Table>
  )
}

function price(usd: number | null): string {
  if (usd === null) return 'Not known'
  return usd.toLocaleString(undefined, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' })
}
