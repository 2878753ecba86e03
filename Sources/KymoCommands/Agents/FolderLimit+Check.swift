import PageBrowser
import TimelineModel

extension FolderLimit {
  /// Refuses a word of an agent that is a path, or an address of a file, outside of the folder.
  ///
  /// - Parameter text: A path, `FILE#SESSION`, or an address.
  /// - Throws: ``Failure``: it is outside.
  func check(_ text: String) throws {
    let isInside =
      !WatchPlan.isAddress(text)
      ? contains(text) && contains(SessionArgument.split(text).path)
      : !text.lowercased().hasPrefix("file:") || contains(address: text)
    guard isInside else {
      throw Failure.usage(
        "\(ForeignText.quoted(text)) is outside of the folder in which kymo mcp was started. Name a file below "
          + "it, or start kymo mcp with --any-path")
    }
  }
}
