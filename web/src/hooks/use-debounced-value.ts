import { useEffect, useState } from 'react'

/** The value, once it has stopped changing for a moment. */
export function useDebouncedValue<Value>(value: Value, milliseconds = 250): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(value)
    }, milliseconds)
    return () => {
      clearTimeout(timer)
    }
  }, [value, milliseconds])
  return settled
}
