/// What stands at the beginning of the pages, drawings and JUnit files that this project makes, by which it knows that
/// nobody loses anything when one of them is made anew.
package enum OriginMark {
  /// The mark: a comment of HTML, SVG and XML.
  package static let text = "<!-- Made by kymo -->"

  /// The same as a comment of JavaScript, one that minifiers keep.
  package static let script = "/*! Made by kymo */"

  /// Within how many bytes of a file's beginning it stands.
  package static let reach = 128
}
