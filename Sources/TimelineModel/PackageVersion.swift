/// The version of everything that is built from this package: the program and the library for C.
package enum PackageVersion {
  /// As `kymo --version` prints it. The text ends with a zero byte.
  package static let text: StaticString = "0.2.0"
}
