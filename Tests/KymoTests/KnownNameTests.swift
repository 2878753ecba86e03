import Foundation
import TestSupport
import Testing

/// Names of UIKit, TLLayoutTransitioning and objc.io lead to ours, in the article and in the help.
@Suite struct KnownNameTests {
  /// A row of the article: what stands between backticks in each column, with the word before it.
  private struct Row {
    var theirs: [String]
    var ours: [String]
    var gallery: [String]
  }

  private let rows: [Row]

  init() throws {
    let page = try #require(manualPages.first { $0.name == "ComingFromCollectionViews.md" })
    rows = page.text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.components(separatedBy: " | ").map { cell in
        cell.replacing("|", with: "").replacing("`", with: "").components(separatedBy: ", ")
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
      return Row(theirs: cells[0], ours: cells[1], gallery: cells[2])
    }
    #expect((20...30).contains(rows.count))
  }

  /// Blanks and line ends are one blank.
  private func flat(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  @Test func `help answers each name with the article's row`() throws {
    var all: [String] = []
    for row in rows {
      let answer = try kymo("help", row.theirs[0]).output
      all.append(answer)
      let text = flat(answer)
      #expect(text.hasPrefix(row.theirs.joined(separator: ", ") + " here "), "\(row.theirs)")
      #expect(text.contains(" here " + row.ours.joined(separator: ", ") + " example "), "\(text)")
      let files = row.gallery.map { "Tests/Fixtures/gallery/\($0)" }.joined(separator: ", ")
      #expect(text.contains(" example " + files + " article Coming from"), "\(text)")
      #expect(answer.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(answer)")
      for name in row.theirs {
        let bare = String(name.prefix { $0 != "(" && $0 != ":" })
        let isOfMany = ["collectionView", "prepare"].contains(bare)
        let spellings =
          isOfMany ? [name] : [name, bare, bare.uppercased(), "\(bare)()"]
        for spelling in spellings {
          #expect(try kymo("help", spelling).output == answer, "\(spelling)")
        }
      }
    }
    #expect(try kymo("help", "names").output == all.joined(separator: "\n"))
  }

  @Test(arguments: [
    ("releaseInteractiveTransition", "CollectionView.releaseInteractiveTransition()"),
    ("ReleaseRule", "ReleaseRule\n"), ("releaserule.THRESHOLD", "ReleaseRule.threshold\n"),
    ("view.release.rule", "ReleaseParameters.rule\n"), ("release.rule", "ReleaseParameters.rule\n"),
    ("recording.release.rule", "KymographRecording.Release.rule\n"), ("Recorder", "Recorder\n"),
    ("lastSession", "RecordingReader.lastSession()"),
  ])
  func `help answers Kymograph's own public names, with the import and the members`(
    name: String, line: String
  ) throws {
    let run = try kymo("help", name)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    #expect(run.output.contains(line), "\(run.output)")
    #expect(run.output.contains("  import    Kymograph"), "\(run.output)")
  }

  @Test func `members are those of a type, and a name that is nobody's is refused`() throws {
    let rule = flat(try kymo("help", "ReleaseRule").output)
    #expect(rule.contains(" members Decision, Decision.estimator,"))
    #expect(rule.contains(", threshold, "))
    let products = "KymographEngine, or KymographAnalysis, or KymographUIKit"
    #expect(rule.contains("import \(products) (module MotionPhysics)"))
    let none = try kymo("help", "releaseInteractiveTransitions")
    #expect(none.code == 2)
    #expect(none.output == "")
    #expect(try kymo("help", "view.").code == 2 && kymo("help", ".").code == 2)
  }

  /// The names in the texts that the article is about, as these texts write them.
  private static let spellings = """
    UICollectionView UITableView UICollectionViewFlowLayout UICollectionViewLayout UICollectionViewLayoutAttributes
    UICollectionViewController UICollectionViewUpdateItem UICollectionViewTransitionLayout
    UICollectionViewLayoutInteractiveTransitionCompletion UIPinchGestureRecognizer UIStoryboardSegue UIEdgeInsets
    initialLayoutAttributesForAppearingItemAtIndexPath: finalLayoutAttributesForAppearingItemAtIndexPath:
    layoutAttributesForItemAtIndexPath: layoutAttributesForItemAtIndexPath layoutAttributesForElementsInRect:
    shouldInvalidateLayoutForBoundsChange: prepareForAnimatedBoundsChange: prepareForCollectionViewUpdates:
    finalizeCollectionViewUpdates finalizeAnimatedBoundsChange prepareLayout updateAction
    UICollectionUpdateActionInsert UICollectionUpdateActionDelete UICollectionUpdateActionMove indexPathBeforeUpdate
    indexPathAfterUpdate indexPathsToAnimate handlePinch: numberOfTouches state UIGestureRecognizerStateBegan
    UIGestureRecognizerStateChanged UIGestureRecognizerStateCancelled UIGestureRecognizerStateEnded
    locationOfTouch:inView: collectionViewLayout indexPathForItemAtPoint: resizeItemAtIndexPath:withPinchDistance:
    invalidateLayout performBatchUpdates: performBatchUpdates:completion: resetPinchedItem FJAnimatedFlowLayout
    FJDetailViewController useLayoutToLayoutNavigationTransitions viewDidLoad dataSource delegate
    navigationController:didShowViewController:animated: scrollToItemAtIndexPath:atScrollPosition:animated:
    UICollectionViewScrollPositionCenteredVertically animateTransition: transitionDuration: completeTransition:
    finalFrameForViewController: animateWithDuration:delay:options:animations:completion: itemSize sectionInset
    minimumLineSpacing minimumInteritemSpacing scrollDirection contentInset contentOffset bounds frame center size
    transform alpha zIndex setCollectionViewLayout:animated: setCollectionViewLayout:animated:completion:
    setCollectionViewLayout:animated:completion fromCollectionView toCollectionView prepare(for:sender:)
    apply(layoutAttributes:) setNeedsLayout() SelectedItem selectedItem arrayOfSections allItems IndexSet
    numberOfItems(inSection:) collectionView(_:didSelectItemAt:) collectionView:didSelectItemAtIndexPath:
    deleteSections(_:) deleteSections performSegue(withIdentifier:sender:) DetailCollectionViewController
    MasterCollectionViewController TLLayoutTransitioning TLTransitionLayout TLTransitionAnimator
    TLTransitionAnimatorLayout UICollectionView+TLTransitionAnimator toContentOffset keyIndexPath transitionLayout
    transitionToCollectionViewLayout:duration:completion: collectionViewDidCompleteTransitioning Resize
    startInteractiveTransitionToCollectionViewLayout:completion: startInteractiveTransitionToCollectionViewLayout
    collectionView:transitionLayoutForOldLayout:newLayout: initWithCurrentLayout:nextLayout:
    init(currentLayout:nextLayout:) currentLayout nextLayout newLayout transitionProgress finishInteractiveTransition
    cancelInteractiveTransition updateValue(_:forAnimatedKey:) updateValue:forAnimatedKey: valueForAnimatedKey(_:)
    valueForAnimatedKey: PositionX PositionY
    """.split { $0 == " " || $0 == "\n" }.map(String.init)

  @Test func `every spelling of the source texts has a row`() throws {
    #expect(Set(Self.spellings).count >= 59)
    for spelling in Self.spellings {
      let run = try kymo("help", spelling)
      #expect(run.code == 0, "\(spelling)")
      #expect(run.output.contains("Tests/Fixtures/gallery/"), "\(spelling)")
    }
    for (spelling, ours) in [
      ("currentLayout", "TransitionLayout.currentLayout"),
      ("init(currentLayout:nextLayout:)", "TransitionLayout,"),
      ("prepareLayout", "CollectionViewLayout.prepare(in:)"),
      ("prepare()", "CollectionViewLayout.prepare(in:)"),
      ("prepare(for:sender:)", "NavigationController"),
      ("prepare(forCollectionViewUpdates:)", "step update"),
      ("numberOfItemsInSection:", "CollectionViewDataSource"),
    ] {
      #expect(try flat(kymo("help", spelling).output).contains(ours), "\(spelling)")
    }
  }

  @Test func `selectors of Objective-C are understood, and what is not known is refused`() throws {
    for (theirs, ours) in [
      ("updateValue:forAnimatedKey:", "TransitionLayout.updateValue(_:forAnimatedKey:)"),
      ("initialLayoutAttributesForAppearingItemAtIndexPath:", "insert.fly-in.json"),
      ("tl_cancelInteractiveTransitionInPlaceWithCompletion:", "cancel-in-place.json"),
      ("UICollectionView.finishInteractiveTransition", "releaseInteractiveTransition"),
      ("(", "unknown command"), ("collectionView", "import    KymographEngine"),
    ] {
      let run = try kymo("help", theirs)
      #expect((run.output + run.errors).contains(ours), "\(theirs): \(run.output)\(run.errors)")
    }
    #expect(try kymo("help", "record").output.hasPrefix("kymo record: "))
  }

  @Test func `each example is in the gallery, and each name of ours in the sources`() throws {
    for file in rows.flatMap(\.gallery) { #expect(Gallery.files.contains(file), "\(file)") }
    let schema = try kymo("scenario", "schema").output
    let root = packageFolder.appendingPathComponent("Sources")
    let files =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    let sources = try files.filter { file in
      file.hasSuffix(".swift")
        && ["TimelineModel/", "MotionPhysics/", "TransitionEngine/"].contains { file.hasPrefix($0) }
    }
    .map { try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8) }
    for name in rows.flatMap(\.ours) {
      let words = name.split(separator: " ").map(String.init)
      switch words[0] {
      case "step": #expect(schema.contains("\"do\": {\"const\": \"\(words[1])\"}"), "\(name)")
      case "field": #expect(schema.contains("\"\(words[1])\": {"), "\(name)")
      case "key": #expect(words[1] == "item.ID.NAME")
      default: #expect(isDeclared(name, in: sources), "\(name)")
      }
    }
  }

  /// Whether a source declares the type, and one that names the type the member with all its labels.
  private func isDeclared(_ name: String, in sources: [String]) -> Bool {
    let parts = name.split(separator: "(")
    let path = parts[0].split(separator: ".")
    let labels =
      parts.dropFirst().first?.dropLast().split(separator: ":").filter { $0 != "_" } ?? []
    let kinds = ["class", "struct", "enum", "protocol"]
    guard sources.contains(where: { text in kinds.contains { text.contains("\($0) \(path[0])") } })
    else { return false }
    guard path.count > 1 else { return true }
    return sources.contains { text in
      guard text.contains(" \(path[0])") else { return false }
      return [
        "func \(path[1])(", "var \(path[1]):", "let \(path[1]):", "var \(path[1])\n",
        "var \(path[1]) =",
      ]
      .contains {
        text.ranges(of: $0).contains { found in
          let signature = text[found.upperBound...].prefix(400)
          return labels.allSatisfy { signature.contains($0) }
        }
      }
    }
  }
}
