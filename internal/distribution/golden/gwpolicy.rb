class Gwpolicy < Formula
  desc "Show which Gateway API policies apply where"
  homepage "https://github.com/example/policy-machinery"
  version "0.1.0"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "https://github.com/example/policy-machinery/releases/download/gwpolicy%400.1.0/gwpolicy_0.1.0_darwin_arm64.tar.gz"
      sha256 "3333333333333333333333333333333333333333333333333333333333333333"
    end
    on_intel do
      url "https://github.com/example/policy-machinery/releases/download/gwpolicy%400.1.0/gwpolicy_0.1.0_darwin_amd64.tar.gz"
      sha256 "2222222222222222222222222222222222222222222222222222222222222222"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/example/policy-machinery/releases/download/gwpolicy%400.1.0/gwpolicy_0.1.0_linux_arm64.tar.gz"
      sha256 "1111111111111111111111111111111111111111111111111111111111111111"
    end
    on_intel do
      url "https://github.com/example/policy-machinery/releases/download/gwpolicy%400.1.0/gwpolicy_0.1.0_linux_amd64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  def install
    bin.install "gwpolicy"
    bin.install_symlink "gwpolicy" => "kubectl-gwpolicy"
    bin.install_symlink "gwpolicy" => "kubectl_complete-gwpolicy"
    generate_completions_from_executable(bin/"gwpolicy", "completion")
  end

  test do
    assert_match "gwpolicy #{version}", shell_output("#{bin}/gwpolicy version")
  end
end
