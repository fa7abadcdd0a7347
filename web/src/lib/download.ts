/** Hands a file to the browser, which saves it or asks where to. */
export function download(file: File): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 60_000)
}
