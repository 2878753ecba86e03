/// A column of a printed table: which field, and how it is set.
public struct Column: Sendable, Hashable {
  /// How a column's cells are set in a table for people.
  public enum Alignment: Sendable, Hashable {
    /// Numbers to the right, all else to the left.
    case automatic
    /// To the left.
    case left
    /// To the right.
    case right
  }

  /// The name of the field, also the header.
  public var name: String
  /// How the cells are set; only tables for people look at it.
  public var alignment: Alignment
  /// How wide the column is at least, in terminal columns; only tables for people look at it.
  public var minimumWidth: Int

  /// Makes a column for the field of this name.
  public init(_ name: String, alignment: Alignment = .automatic, minimumWidth: Int = 0) {
    self.name = name
    self.alignment = alignment
    self.minimumWidth = minimumWidth
  }
}
