import Foundation

/// The speeds of the finger along its way at each release of a page, session by session, in points per second.
func fingerSpeeds(inPage page: String) throws -> [Double] {
  try page.matches(
    of: #/<script type="application\/json" id="run-[AB]">(.*?)<\/script>/#.dotMatchesNewlines()
  )
  .flatMap { match in
    let run = try JSONSerialization.jsonObject(with: Data(match.output.1.utf8)) as? [String: Any]
    let decisions = run?["decisions"] as? [String: Any]
    let column = (decisions?["columns"] as? [String])?.firstIndex(of: "fingerSpeeds")
    return (decisions?["rows"] as? [[Any]] ?? []).flatMap { row in
      column.flatMap { row[$0] as? [Double] } ?? []
    }
  }
}
