# Untried: no machine of the project has Homebrew. `ruby -c` reads it, and that is all.
#
# The sources have no public address yet, so the formula builds the commits of a clone. Run this in the clone:
#
#     brew tap-new local/kymograph
#     cp Tools/homebrew/kymograph.rb "$(brew --repository local/kymograph)/Formula"
#     HOMEBREW_KYMOGRAPH_CLONE=$PWD brew install --HEAD local/kymograph/kymograph
#
# After a release, url and sha256 replace the line with head.
class Kymograph < Formula
  desc "Record, replay and compare gesture-driven animations"
  homepage "https://kymograph.invalid"
  license "MIT"
  head "file://#{ENV.fetch("HOMEBREW_KYMOGRAPH_CLONE", "/name/the/clone")}", using: :git, branch: "main"

  uses_from_macos "swift" => :build
  uses_from_macos "sqlite"

  on_macos do
    depends_on xcode: ["26.0", :build]
    depends_on macos: :sequoia
  end

  def install
    # Homebrew builds in a sandbox of its own, and SwiftPM's does not start inside of it.
    flags = ["--disable-sandbox", "--configuration", "release", "--product", "kymo"]
    flags << "--static-swift-stdlib" if OS.linux?
    system "swift", "build", *flags
    bin.install ".build/release/kymo"
    bin.install_symlink "kymo" => "kymograph"
    bash_completion.install "Tools/completions/kymo.bash" => "kymo"
    zsh_completion.install "Tools/completions/_kymo"
    fish_completion.install "Tools/completions/kymo.fish"
    # The program prints all manual pages, each after a line with the name of its file.
    text = Utils.safe_popen_read(bin/"kymo", ".manual-pages", time.strftime("%B %-d, %Y"))
    text.split(/^\.\\" FILE /).drop(1).each do |page|
      name, lines = page.split("\n", 2)
      (man1/name).write lines
    end
  end

  test do
    assert_match "kymo", shell_output("#{bin}/kymo --version")
  end
end
